/** Hints: an element says `{...hint('Help')}`, one layer shows it on hover and on keyboard focus (`Hints.tsx`, part of the frame). */
type Side = 'bottom' | 'right'

export const hintAttribute = 'data-hint'
const sideAttribute = 'data-hint-side'

/** Text for the eye, on an element that says the same to screen readers in a way of its own. '' says nothing. */
export function hint(text: string, side: Side = 'bottom'): { [hintAttribute]?: string; [sideAttribute]?: Side } {
  return text === '' ? {} : { [hintAttribute]: text, ...(side === 'bottom' ? {} : { [sideAttribute]: side }) }
}

/** The side of its element that a hint stands at. */
export const sideOf = (element: Element): Side => (element.getAttribute(sideAttribute) === 'right' ? 'right' : 'bottom')
