package journal

import "time"

// pruneSometimes looks at the bounds at a process's first change and at every
// pruneEvery-th after it.
func pruneSometimes(tx transaction, now time.Time) error {
	tx.database.changes++
	if tx.database.changes%pruneEvery != 1 {
		return nil
	}
	return prune(tx, now, MaxContentBytes)
}

// prune drops contents that are too old, then the oldest until at most
// maxBytes of old contents, and as much of diffs, are left. Records stay.
func prune(tx transaction, now time.Time, maxBytes int64) error {
	var dropped int64
	for _, table := range []string{"blob", "diff"} {
		n, err := pruneTable(tx, table, now.Add(-MaxContentAge).UnixNano(), maxBytes)
		if err != nil {
			return err
		}
		dropped += n
	}
	if dropped == 0 {
		return nil
	}
	return returnPages(tx)
}

// pruneTable keeps the newest rows whose running total of bytes fits, and
// returns how many went. The row of the change being recorded is the newest of
// all and stays.
func pruneTable(tx transaction, table string, oldest, maxBytes int64) (int64, error) {
	var total int64
	if err := tx.QueryRow(`SELECT ifnull(sum(bytes), 0) FROM ` + table).Scan(&total); err != nil {
		return 0, err
	}
	if total > maxBytes {
		first, err := firstThatFits(tx, table, maxBytes)
		if err != nil {
			return 0, err
		}
		oldest = max(oldest, first)
	}
	done, err := tx.Exec(`DELETE FROM `+table+` WHERE used < ?`, oldest)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// firstThatFits is the age of the oldest row that may stay.
func firstThatFits(tx transaction, table string, maxBytes int64) (used int64, err error) {
	err = tx.QueryRow(`
		SELECT ifnull(min(used), 0)
		FROM (SELECT used, sum(bytes) OVER (ORDER BY used DESC) AS total FROM `+table+`)
		WHERE total <= ?`, maxBytes).Scan(&used)
	return used, err
}

// returnPages shortens the database by what was freed. Each row that the
// pragma yields is a page.
func returnPages(tx transaction) error {
	rows, err := tx.Query(`PRAGMA incremental_vacuum`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
