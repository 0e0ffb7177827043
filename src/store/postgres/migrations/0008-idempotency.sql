-- `token`: of two holders of a claim only the last one may write; empty if it was given up. `rights`: null in answers from before.
-- `counts`: what a request of several transactions has committed so far. `bytes`: the length of the answer, 0 without one.
ALTER TABLE idempotency ADD COLUMN subject text NOT NULL DEFAULT '';
ALTER TABLE idempotency ADD COLUMN rights text;
ALTER TABLE idempotency ADD COLUMN token text NOT NULL DEFAULT '';
ALTER TABLE idempotency ADD COLUMN counts text;
ALTER TABLE idempotency ADD COLUMN bytes integer NOT NULL DEFAULT 0;
UPDATE idempotency SET bytes = octet_length(answer) WHERE answer IS NOT NULL;
CREATE INDEX idempotency_subject ON idempotency (subject, claimed_at, bytes);
