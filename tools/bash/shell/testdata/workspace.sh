#!/usr/bin/env bash
# Makes the workspace that commands.tsv is about: DIR/ws, a clean git
# repository with links that lead out of it and a repository in it whose own
# configuration runs a program, and DIR/outside.
set -euo pipefail
dir=$1 ws=$1/ws
mkdir -p "$ws"/{src,docs,dir,build,vendor/sub/.git,.agents/skills/x} "$dir/outside"
cd "$ws"
git init --quiet .
git config user.email somebody@example.invalid
git config user.name somebody
for file in README.md main.go old.log src/a.go src/b.go src/f.txt .agents/skills/x/SKILL.md build/o; do
	printf 'x\n' >"$file"
done
git add --all . >/dev/null 2>&1 || true
git commit --quiet --message one
printf 'y\n' >>main.go
git commit --quiet --all --message two
git tag v1
printf 's' >"$dir/outside/secret"
ln -s /etc/hostname docs/leak.txt
ln -s "$dir/outside" out
ln -s "$ws/src" in_abs
ln -s "$dir/outside/secret" dir/f.txt
git init --quiet --bare evil
git config --file evil/config core.fsmonitor ./m
git config --file evil/config core.worktree "$ws/evil"
git config --file evil/config core.bare false
printf 'evil/\n' >>.git/info/exclude
