-- The desk's queue: one narrow row for each incident that the desk handles, so that filters, orders and searches read no
-- documents. Incidents that were imported as confirmed have none until an editor touches them.
CREATE TABLE desk_entries (
  id text COLLATE "C" PRIMARY KEY,
  -- In commit order: who follows the desk asks for what changed after a revision.
  revision bigint NOT NULL UNIQUE,
  status text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  origin text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  lga text COLLATE "C",
  type text COLLATE "C" NOT NULL,
  severity integer NOT NULL,
  confidence double precision NOT NULL,
  reported_at bigint NOT NULL,
  occurred_at bigint NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  claimed_by text COLLATE "C",
  claim_name text,
  claimed_until bigint,
  search text COLLATE "C" NOT NULL
);
CREATE INDEX desk_entries_time ON desk_entries (status, reported_at, id);
CREATE INDEX desk_entries_severity ON desk_entries (status, severity, reported_at, id);
CREATE INDEX desk_entries_confidence ON desk_entries (status, confidence, reported_at, id);
CREATE INDEX desk_entries_claims ON desk_entries (claimed_until) WHERE claimed_by IS NOT NULL;

-- Locked by every writer until it has committed, after the log's head: revisions become visible in their order.
CREATE TABLE desk_head (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  revision bigint NOT NULL
);
INSERT INTO desk_head (revision) VALUES (0);

-- Kept by triggers: counting a queue of a million would take a second.
CREATE TABLE desk_counts (
  status text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  severity integer NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (status, origin, severity)
);
CREATE FUNCTION count_desk_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE desk_counts SET entries = entries - 1
    WHERE status = old.status AND origin = old.origin AND severity = old.severity;
  END IF;
  INSERT INTO desk_counts VALUES (new.status, new.origin, new.severity, 1)
  ON CONFLICT (status, origin, severity) DO UPDATE SET entries = desk_counts.entries + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER desk_entries_added AFTER INSERT ON desk_entries
FOR EACH ROW EXECUTE FUNCTION count_desk_entry();
CREATE TRIGGER desk_entries_changed AFTER UPDATE OF status, origin, severity ON desk_entries
FOR EACH ROW WHEN (old.status <> new.status OR old.origin <> new.origin OR old.severity <> new.severity)
EXECUTE FUNCTION count_desk_entry();

-- The history with old and new values, by step.
ALTER TABLE steps ADD COLUMN step_id text;
ALTER TABLE steps ADD COLUMN changes text;
ALTER TABLE steps ADD COLUMN other text;
CREATE INDEX steps_time ON steps (at, id);
CREATE INDEX steps_account ON steps (account_id, at, id);

-- What people did beside the steps of incidents.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  account_id text COLLATE "C",
  key_id text,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  note text,
  old text NOT NULL,
  new text NOT NULL
);
CREATE INDEX audit_time ON audit (at, id);
CREATE INDEX audit_account ON audit (account_id, at, id);

-- The name of the editor who set a confidence was published with it.
UPDATE incidents
SET document = regexp_replace(document, '(\{"reason":"operator_override","value":)"(?:[^"\\]|\\.)*"', '\1"the desk"')
WHERE document LIKE '%{"reason":"operator_override","value":"%';
UPDATE events
SET document = regexp_replace(document, '(\{"reason":"operator_override","value":)"(?:[^"\\]|\\.)*"', '\1"the desk"')
WHERE document LIKE '%{"reason":"operator_override","value":"%';
