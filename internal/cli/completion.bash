
# Bash breaks words at = and : too. This joins again what has no blank between.
__septet_init_completion()
{
    local rest=$COMP_LINE blanks word i last=-1
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        blanks=${rest%%[![:blank:]]*}
        rest=${rest#"$blanks"}
        rest=${rest#"$word"}
        if [[ last -ge 0 && -z $blanks ]]; then
            words[last]+=$word
        else
            words[++last]=$word
        fi
    done
    cword=$last
    cur=${words[cword]}
    prev=
    if ((cword > 0)); then
        prev=${words[cword - 1]}
    fi
}
