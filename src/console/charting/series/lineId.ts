/** IDs of lines in charts: which series of the query, and which group, a line shows. */

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
