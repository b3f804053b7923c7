/** IDs of lines in charts, which tell the series of the query and the group of a line, and the order of lines. */

/** Compares names of groups. Lines get their colors in this order: `web-9` is before `web-10`. */
export const groupOrder = new Intl.Collator('en', { numeric: true })

/** `A/["shop-web"]`. The name has no slash. */
export const lineId = (series: string | number, group: readonly string[]): string =>
  `${series}/${JSON.stringify(group)}`

/** The line of all groups but the largest, which has no group. */
export const othersLineId = (series: string | number): string => `${series}/others`

/** Whether a line is one of these, or of the same in another period or on another deployment. */
export const isOthersLine = (id: string): boolean => /^[^/]+\/others(?:[/@]|$)/.test(id)

/** The series and group of a line; null for an ID that is none of `lineId`. */
export function readLineId(id: string): { series: string; group: string[] } | null {
  const [, series = '', json = ''] = /^([^/]+)\/(\[.*\])$/s.exec(id) ?? []
  return json === '' ? null : { series, group: JSON.parse(json) as string[] } // `lineId` wrote it
}
