interface TabsProperties<Name extends string> {
  readonly label: string
  readonly options: Readonly<Record<Name, string>>
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** A choice of one, as a row of buttons. */
export function Tabs<Name extends string>({ label, options, chosen, onChoose }: TabsProperties<Name>) {
  return (
    <fieldset class="choices">
      <legend class="hidden">{label}</legend>
      {(Object.keys(options) as Name[]).map((name) => (
        <button
          key={name}
          type="button"
          class="choice-button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {options[name]}
        </button>
      ))}
    </fieldset>
  )
}
