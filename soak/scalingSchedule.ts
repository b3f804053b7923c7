/** A scaling schedule of the whole day, by which the service shows what time it is. */

const entryHours = 3
const entryOf = (hour: number) => `From ${hour - (hour % entryHours)}`

/** A request to the managed variant of the stack, which resolves to the result of its response. */
type Call = (method: string, path: string, body?: unknown) => Promise<{ activeEntryId: string; entries: Entry[] }>

interface Entry {
  id: string
  name: string
}

export async function setSchedule(call: Call, serviceId: string): Promise<void> {
  const entries = Array.from({ length: 24 / entryHours }, (_, at) => ({
    name: entryOf(at * entryHours),
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    startHourUtc: at * entryHours,
    endHourUtc: (at + 1) * entryHours,
    numReplicas: 2 + (at % 2),
  }))
  await call('POST', `/services/${serviceId}/scalingSchedule`, { entries })
}

/** @returns a sentence if the entry in force is not that of the time on the clock, epoch milliseconds */
export async function scheduleFaults(call: Call, serviceId: string, wall: () => number): Promise<string[]> {
  const names = [wall(), wall() - 60_000].map((time) => entryOf(new Date(time).getUTCHours()))
  const { activeEntryId, entries } = await call('GET', `/services/${serviceId}/scalingSchedule`)
  const active = entries.find(({ id }) => id === activeEntryId)?.name ?? 'none'
  // Within the last minute the entry may have changed.
  return names.includes(active) ? [] : [`the entry "${active}" of the scaling schedule is in force, not "${names[0]}"`]
}
