-- When an account is deleted, its links are too, and its name and address are taken out of the entries about it.
CREATE INDEX audit_subject ON audit (subject);
CREATE INDEX sign_in_links_account ON sign_in_links (account_id);
