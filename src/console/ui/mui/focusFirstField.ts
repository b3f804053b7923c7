const field = ':is(input, select, textarea, [role="combobox"])'
const unusable = ':disabled, [readonly], [aria-disabled="true"], [aria-hidden="true"], [type="hidden"]'
const checkedRadio = '[type="radio"]:checked'

/**
 * Puts the focus in the first field of a dialog that opens, so that typing can start at once. It is a `ref` of the
 * element around the fields. Of a group of radio buttons, the chosen one has the focus, as with Tab. Without a field to
 * fill in, the focus stays with the dialog.
 */
export function focusFirstField(dialog: HTMLElement | null): void {
  const first = dialog?.querySelector<HTMLElement>(`${field}:not(${unusable})`)
  const chosen = first?.matches('[type="radio"]') ? dialog?.querySelector<HTMLElement>(checkedRadio) : null
  const target = chosen ?? first
  target?.focus()
}
