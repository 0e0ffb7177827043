-- Whether an attempt may have been made that was not recorded: its process lost the lease, or the answer.
ALTER TABLE deliveries ADD COLUMN maybe_attempted boolean NOT NULL DEFAULT false;
