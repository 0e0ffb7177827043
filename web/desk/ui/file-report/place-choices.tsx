import type { PlaceChoice } from '../../../../src/domain/story.ts'
import { choiceLabel } from '../../filing/candidate.ts'

/** The places that a story may mean; the editor says which. */
export function PlaceChoices({
  words,
  choices,
  onChoose,
}: {
  words: string | null
  choices: readonly PlaceChoice[]
  onChoose: (choice: PlaceChoice) => void
}) {
  return (
    <fieldset class="place-choices">
      <legend>{words === null ? 'Which place?' : `Which place is “${words}”?`}</legend>
      {choices.map((choice, index) => (
        <label key={`${index} ${choice.name}`}>
          <input type="radio" name="place-choice" onChange={() => onChoose(choice)} />
          {choiceLabel(choice)}
        </label>
      ))}
    </fieldset>
  )
}
