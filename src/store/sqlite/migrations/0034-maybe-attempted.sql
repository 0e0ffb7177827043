-- Whether an attempt may have been made that was not recorded: its process lost the lease, or the answer.
ALTER TABLE deliveries ADD COLUMN maybe_attempted INTEGER NOT NULL DEFAULT 0;
