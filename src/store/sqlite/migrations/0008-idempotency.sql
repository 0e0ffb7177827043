-- `token`: of two holders of a claim only the last one may write; empty if it was given up. `rights`: null in answers from before.
-- `counts`: what a request of several transactions has committed so far. `bytes`: the length of the answer, 0 without one.
ALTER TABLE idempotency ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE idempotency ADD COLUMN rights TEXT;
ALTER TABLE idempotency ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE idempotency ADD COLUMN counts TEXT;
ALTER TABLE idempotency ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE idempotency SET bytes = length(answer) WHERE answer IS NOT NULL;
CREATE INDEX idempotency_subject ON idempotency (subject, claimed_at, bytes);
