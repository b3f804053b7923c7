/**
 * Features that a deployment does not have, kept in this browser for the day: it is not asked again with every visit, but it may
 * be upgraded.
 */
import { answers } from './offers.ts'

const key = 'stack-console.missing-features'
const today = () => new Date().toDateString()

function stored(): string[] {
  try {
    const [day, ...subjects] = JSON.parse(localStorage.getItem(key) ?? '[]')
    return day === today() ? subjects : []
  } catch {
    return []
  }
}

/** Not whole resources, nor their changes: pages would be closed for the day. */
const isFeature = (at: string) => at.includes(' ') && !/ (?:changes|items)$/.test(at)

function keep(): void {
  const missing = Object.keys(answers.state).filter((at) => isFeature(at) && answers.state[at] === 'notOffered')
  try {
    localStorage.setItem(key, JSON.stringify([today(), ...missing]))
  } catch {
    // Without local storage, it is asked again by the next page.
  }
}

/** Reads the stored list of missing features, and stores those that are found from now on. */
export function keepMissingFeatures(): void {
  answers.setState((known) => ({
    ...Object.fromEntries(stored().map((at) => [at, 'notOffered' as const])),
    ...known,
  }))
  answers.subscribe(keep)
}
