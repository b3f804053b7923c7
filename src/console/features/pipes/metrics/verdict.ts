/** What the load says about the size, in one sentence. */
import { full, type Against, type Load } from './load.ts'

export interface Verdict {
  tone: 'warning' | 'success' | 'info'
  sentence: string
  /** Whether another size would fit better; null where the load does not tell, or the size fits. */
  wants: 'more' | 'less' | null
}

/** Below this share of its limits a pipe is idle rather than too large. */
const idle = 0.02

/** Below this share it does with less. */
const roomy = 0.3

/** What a pipe is short of. `runs` is false where nothing moves, whatever the samples say. */
export function verdictOf(load: Load | null, runs: boolean): Verdict {
  if (!runs) return calm('info', 'Nothing runs, so the load says nothing about the size.')
  if (!load?.cpu && !load?.memory) {
    return calm('info', 'The deployment does not report what is used: whether anything is short cannot be told.')
  }
  const { cpu, memory, latency, cpuFull, memoryFull } = load
  const [cpuShort, memoryShort] = [isFull(cpu), isFull(memory)]
  if (cpuShort || memoryShort) {
    const [what, have, since] =
      cpuShort && memoryShort
        ? (['CPU and memory', 'have', Math.min(cpuFull, memoryFull)] as const)
        : cpuShort
          ? (['CPU', 'has', cpuFull] as const)
          : (['Memory', 'has', memoryFull] as const)
    const limit = what === 'CPU and memory' ? 'their limits' : 'its limit'
    const so = `${what} ${have} been at ${limit} for ${time(since)}`
    if (latency?.trend === 'falling') {
      return calm('info', `${so}, but latency is falling: the pipe catches up with what has waited.`)
    }
    if (load.settling) {
      return calm(
        'info',
        `${what} ${have === 'has' ? 'is' : 'are'} at ${limit}. The size changed just now: in a few minutes it shows whether it is enough.`,
      )
    }
    const other = cpuShort ? memory : cpu
    const enough = cpuShort ? 'memory is not' : 'CPU is not'
    const short =
      cpuShort && memoryShort ? 'both are short' : `${cpuShort ? what : 'memory'} is short${other ? `, ${enough}` : ''}`
    const rising = latency?.trend === 'rising' ? ' and latency is rising' : ''
    return { tone: 'warning', sentence: `${so}${rising}: ${short}.`, wants: 'more' }
  }
  if (latency?.trend === 'rising') {
    return calm(
      'warning',
      'Latency is rising although CPU and memory have room: look at the source and at the service that it writes to.',
    )
  }
  const most = Math.max(...[cpu, memory].flatMap((one) => (one ? [one.p95] : [])))
  if (most < idle) return calm('info', 'There is next to nothing to do now, so the load says nothing about the size.')
  if (most < roomy) {
    return {
      tone: 'success',
      sentence: `At most ${Math.round(most * 100)} % of what there is gets used.`,
      wants: 'less',
    }
  }
  return calm('success', 'There is enough of both: neither CPU nor memory is at its limit.')
}

const calm = (tone: Verdict['tone'], sentence: string): Verdict => ({ tone, sentence, wants: null })

const isFull = (one: Against | null): boolean => one !== null && one.used / one.limit >= full

function time(ms: number): string {
  if (ms < 60_000) return 'less than a minute'
  const minutes = Math.round(ms / 60_000)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
