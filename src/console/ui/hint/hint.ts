/**
 * Hints: an element has `{...hint('Help')}`, and one layer shows it on hover and keyboard focus (`Hints.tsx`, in the
 * shell).
 */
type Side = 'bottom' | 'right'

export const hintAttribute = 'data-hint'
const sideAttribute = 'data-hint-side'

/** Visible text for an element that has another text for screen readers. '' shows nothing. */
export function hint(text: string, side: Side = 'bottom'): { [hintAttribute]?: string; [sideAttribute]?: Side } {
  return text === '' ? {} : { [hintAttribute]: text, ...(side === 'bottom' ? {} : { [sideAttribute]: side }) }
}

/** The side of its element at which a hint is placed. */
export const sideOf = (element: Element): Side => (element.getAttribute(sideAttribute) === 'right' ? 'right' : 'bottom')
