/** Hints of the frame: an element says `{...hint('Help')}`, one layer shows it on hover and on keyboard focus. */
export const hintAttribute = 'data-hint'

/** Text that explains an element which has an accessible name of its own. '' says nothing. */
export function hint(text: string): { [hintAttribute]?: string } {
  return text === '' ? {} : { [hintAttribute]: text }
}
