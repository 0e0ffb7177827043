-- Watches of an account with the same address for people: what matches several of them is one message.
CREATE INDEX watches_receiver ON watches (account_id, url) WHERE channel IS NOT NULL;
