CREATE TABLE incidents (
  id           text COLLATE "C" PRIMARY KEY,
  published_at timestamptz NOT NULL,
  state        text COLLATE "C" NOT NULL,
  type         text COLLATE "C" NOT NULL,
  severity     smallint NOT NULL,
  confidence   double precision NOT NULL,
  lat          double precision NOT NULL,
  lng          double precision NOT NULL,
  document     text NOT NULL
);
