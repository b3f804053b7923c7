/** The state of all connections in a sentence. What is not known is not counted as well. */
import { counted } from '#domain/text/words.ts'
import { firingAlerts } from './firing.ts'
import type { HomeEnvironment } from './useHome.ts'

interface Summary {
  /** Alerts that fire, each once, as far as they are known. */
  firing: number
  text: string
  /** Everything is known, and nothing needs anybody. */
  isQuiet: boolean
}

export function summaryOf(environments: readonly HomeEnvironment[], needAttention: number): Summary {
  const firing = firingAlerts(environments).length
  const unread = environments.filter(({ problem }) => problem !== undefined)
  const unknown = environments.filter((environment) => environment.problem === undefined && isUnknown(environment))
  const readable = environments.filter((environment) => environment.problem === undefined && !isUnknown(environment))
  const loadUnknown = readable.filter(({ problems }) => problems?.isLoadUnknown)
  const keyUnknown = readable.filter(({ problems }) => problems?.keyState === 'unknown')
  const isReading = environments.some(isStillReading)
  const known = [
    firing > 0 && `${counted(firing, 'alert')} ${firing === 1 ? 'fires' : 'fire'}.`,
    needAttention > 0 && `${needAttention} ${needAttention === 1 ? 'resource needs' : 'resources need'} attention.`,
    unread.length > 0 && `${namesOf(unread)} could not be read.`,
    unknown.length > 0 && `Not everything is known of ${namesOf(unknown)}.`,
    loadUnknown.length > 0 && `Load unknown of pipes on ${namesOf(loadUnknown)}.`,
    keyUnknown.length > 0 && `Whether a key of ${namesOf(keyUnknown)} ends soon is unknown.`,
  ].filter((sentence) => sentence !== false)
  const isQuiet = known.length === 0 && !isReading
  if (isQuiet) return { firing, text: 'Nothing fires, and nothing needs attention.', isQuiet }
  return { firing, text: [...known, ...(isReading ? ['Loading…'] : [])].join(' '), isQuiet }
}

const namesOf = (environments: readonly HomeEnvironment[]) =>
  environments.map(({ connection }) => connection.name).join(', ')

function isUnknown({ firingUnknown, problems }: HomeEnvironment): boolean {
  return firingUnknown !== undefined || problems?.reason !== undefined
}

function isStillReading({ problem, firing, firingUnknown, problems, state }: HomeEnvironment): boolean {
  if (problem !== undefined) return false
  const knowsProblems = problems && (!problems.offered || problems.reason !== undefined || problems.total !== undefined)
  const readsMore = problems?.isLoadPending === true || problems?.keyState === 'pending'
  return (firing === undefined && firingUnknown === undefined) || state?.isRestored || !knowsProblems || readsMore
}
