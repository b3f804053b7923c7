/** What the load says about the size, in one sentence. */
import { full, type Against, type Load } from './load.ts'
import { counted } from '#console/ui/words.ts'

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
  const shortage = shortageOf(load)
  if (shortage) return verdictOfShortage(shortage, load)
  const { cpu, memory, latency } = load
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
  return calm(
    'success',
    cpu && memory
      ? 'There is enough of both: neither CPU nor memory is at its limit.'
      : `There is enough ${cpu ? 'CPU' : 'memory'}; what is used of ${cpu ? 'memory' : 'CPU'} is not reported.`,
  )
}

/** What is at its limit, in the parts of a sentence. */
interface Shortage {
  what: string
  isPlural: boolean
  /** Milliseconds. */
  since: number
  so: string
}

/** Null where nothing is at its limit. */
function shortageOf({ cpu, memory, cpuFull, memoryFull }: Load): Shortage | null {
  const [cpuShort, memoryShort] = [isFull(cpu), isFull(memory)]
  if (cpuShort && memoryShort) {
    return { what: 'CPU and memory', isPlural: true, since: Math.min(cpuFull, memoryFull), so: 'both are short' }
  }
  if (cpuShort) {
    return { what: 'CPU', isPlural: false, since: cpuFull, so: `CPU is short${memory ? ', memory is not' : ''}` }
  }
  if (memoryShort) {
    return { what: 'Memory', isPlural: false, since: memoryFull, so: `memory is short${cpu ? ', CPU is not' : ''}` }
  }
  return null
}

function verdictOfShortage({ what, isPlural, since, so }: Shortage, { latency, settling }: Load): Verdict {
  const [has, is, limit] = isPlural ? ['have', 'are', 'their limits'] : ['has', 'is', 'its limit']
  const been = `${what} ${has} been at ${limit} for ${time(since)}`
  if (latency?.trend === 'falling') {
    return calm('info', `${been}, but latency is falling: the pipe catches up with what has waited.`)
  }
  if (settling) {
    return calm(
      'info',
      `${what} ${is} at ${limit}. The size changed just now: in a few minutes it shows whether it is enough.`,
    )
  }
  const rising = latency?.trend === 'rising' ? ' and latency is rising' : ''
  return { tone: 'warning', sentence: `${been}${rising}: ${so}.`, wants: 'more' }
}

const calm = (tone: Verdict['tone'], sentence: string): Verdict => ({ tone, sentence, wants: null })

const isFull = (one: Against | null): boolean => one !== null && one.used / one.limit >= full

function time(ms: number): string {
  if (ms < 60_000) return 'less than a minute'
  const minutes = Math.round(ms / 60_000)
  return counted(minutes, 'minute')
}
