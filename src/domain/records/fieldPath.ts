/** The path of a field, as people read it. */
import { orderStep } from '../json/diff.ts'
import type { Path } from '../json/json.ts'

/** Steps that say nothing about where a field is: `Errors › where` instead of `tiles › Errors › config › where`. */
const silent = new Set(['config'])

/** Tiles and filters by their name, items of other lists by their number: `Errors › select 2 › where`. */
export function formatFieldPath(path: Path): string {
  const parts: string[] = []
  path.forEach((step, at) => {
    const next = path[at + 1]
    if (typeof step === 'number') parts[parts.length - 1] = `${parts.at(-1) ?? ''} ${step + 1}`.trim()
    else if (typeof step === 'object') parts.push(step.id)
    else if (step === orderStep) parts.push('order')
    else if (typeof next === 'object' || (silent.has(step) && next !== undefined)) return
    else parts.push(step)
  })
  return parts.join(' › ')
}
