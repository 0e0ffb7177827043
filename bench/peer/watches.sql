-- One row per key of a watch: each of its LGAs, each of its states, each grid cell that its shape touches, or 'everywhere'.
-- The other columns are all conditions of its filter, null if absent, so that one index scan decides. Shapes have longitude
-- first. The outline is in ten-thousandths of a degree, because PostgreSQL treats points closer than a millionth as equal.
CREATE TABLE watch_keys (
  key            text COLLATE "C" NOT NULL,
  watch_id       integer NOT NULL,
  types          text[],
  severities     text[],
  min_confidence double precision,
  max_confidence double precision,
  box            box,
  circle_lat     double precision,
  circle_lng     double precision,
  radius_km      double precision,
  outline        polygon,
  PRIMARY KEY (key, watch_id)
);
