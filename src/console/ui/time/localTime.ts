/** Between ISO texts in UTC and what `<input type="datetime-local">` holds: local time, to the minute. */

const two = (number: number) => String(number).padStart(2, '0')

/** '' for an invalid time. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso)
  if (iso === '' || Number.isNaN(date.getTime())) return ''
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** '' for an invalid time; otherwise an ISO text that ends in Z, as deployments require. */
export function fromLocalInput(local: string): string {
  const date = new Date(local)
  return local === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
