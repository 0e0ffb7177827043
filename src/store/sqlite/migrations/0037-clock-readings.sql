-- The latest reading of the clock, to notice that it was set back, also while no process ran; and the time that ages are
-- counted to, which follows a clock that jumps ahead slowly.
CREATE TABLE clock_readings (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  seen_at INTEGER NOT NULL,
  aged_at INTEGER NOT NULL
) STRICT;
