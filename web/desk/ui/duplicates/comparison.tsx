import type { Difference } from '../../report/differences.ts'

/** Two incidents side by side: only the fields that differ. */
export function Comparison({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <p class="quiet">They say the same.</p>
  return (
    <table class="comparison">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Field</span>
          </th>
          <th scope="col">This</th>
          <th scope="col">That one</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ field, label, one, other }) => (
          <tr key={field}>
            <th scope="row">{label}</th>
            <td>{one}</td>
            <td>{other}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
