import { CodeBlock } from '../../parts/code-block.tsx'

const EXAMPLE = `name,latitude,longitude,radius_km,reference
Depot Kaduna,10.52,7.44,25,KD-1
"Port, Apapa",6.45,3.36,5,`

/** What a file looks like. */
export function FileFormat() {
  return (
    <>
      <p>
        A table as CSV, with this first line. The radius is in kilometres, up to 100; the reference is a number of your
        own, and may be left out. GeoJSON points with the same names as properties are read too.
      </p>
      <CodeBlock label="An example of a file" text={EXAMPLE} />
    </>
  )
}
