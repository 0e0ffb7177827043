import { Field } from '../../../shared/parts/field.tsx'

/** Chooses a file of sites; one that was changed on the disk since is chosen again. */
export function FileField({ onChoose }: { onChoose: (file: File | null) => void }) {
  return (
    <Field label="File: CSV or GeoJSON, up to 4 MB">
      <input
        type="file"
        accept=".csv,.geojson,.json,text/csv,application/geo+json"
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
          onChoose(null)
        }}
        onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0] ?? null)}
      />
    </Field>
  )
}
