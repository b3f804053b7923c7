/** The rows and alerts of `alertWorker.ts`. */

export const crashServices = ['api', 'cart', 'web']
export const crashThresholds = [1, 2, 3, 4, 5, 6]

/** Number of rows in a minute: each count lasts for some minutes, longer than a killed process needs to be replaced. */
export function crashRows(service: string, minute: number): number {
  return (Math.floor((minute + 2 * crashServices.indexOf(service)) / 6) * 5) % 7
}
