-- The log is a chain: each event has a seal of its document, and a link, which is a hash of the link before and of the
-- event. Null for older events until the service has come by. See queries/chain.ts.

-- Where the log went on with other events than somebody may have seen, after a restore or a promotion. Events after
-- after_seq were lost, up to seen_seq as far as known; links have the id from head_seq on, which is later if the log had
-- gone on before. Numbers that were left out for that before have no id.
CREATE TABLE log_forks (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  after_seq INTEGER NOT NULL,
  head_seq INTEGER NOT NULL,
  seen_seq INTEGER,
  at INTEGER NOT NULL
) STRICT;
INSERT INTO log_forks (number, id, after_seq, head_seq, seen_seq, at)
SELECT row_number() OVER (ORDER BY seq), '', before, before, seq - 1, at
FROM (
  SELECT seq, at, lag(seq, 1, 0) OVER (ORDER BY seq) AS before
  FROM (SELECT seq, at FROM events UNION ALL SELECT seq + 1, at FROM log_head)
)
WHERE seq > before + 1;

ALTER TABLE events ADD COLUMN link TEXT;
ALTER TABLE events ADD COLUMN seal TEXT;
-- The link of the event linked_seq, up to which all have one; branch names the history of the database.
ALTER TABLE log_head ADD COLUMN linked_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE log_head ADD COLUMN link TEXT NOT NULL DEFAULT '';
ALTER TABLE log_head ADD COLUMN branch TEXT;
