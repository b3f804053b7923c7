/** A plan as text, and as JSON for machines. */
import { visibleText } from '#domain/text/visibleText.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { maskRoutingKeys } from '#domain/alerting/receivers/routingKey.ts'
import type { Path } from '#domain/json/json.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import type { Plan, PlanStep } from '#domain/records/plan.ts'

const signs = { create: '+', update: '~', delete: '-', same: ' ' } as const

/** Each record that changes, with its fields; then the sum. @param sides names of what is there, and of what will be */
export function planText(plan: Plan, secretFields: ReadonlySet<string> = secrets): string {
  const changing = plan.steps.filter(({ action }) => action !== 'same')
  if (changing.length === 0) return 'No changes. The deployment is as the files say.\n'
  const { create, update, delete: removed, same } = plan.counts
  const lines = changing.flatMap((step) => [...stepLines(step, secretFields), ...missingLines(step, plan)])
  const sum = `${create} to create, ${update} to update, ${removed} to delete, ${same} unchanged; ${plan.requests} requests`
  // Names and values of a deployment must neither steer the terminal nor reorder what is shown.
  return [...lines.map((line) => visibleText(line)), '', sum, ''].join('\n')
}

/** Fields of webhooks that are never printed. The body is, without the keys in it. */
const secrets: ReadonlySet<string> = new Set(['url', 'headers', 'queryParams'])

function stepLines(step: PlanStep, secretFields: ReadonlySet<string>): string[] {
  const { kind, action, name, changes, blocked, refusals } = step
  const isSecret = (path: Path) => kind === 'webhooks' && secretFields.has(String(path[0]))
  return [
    `${signs[action]} ${action} ${formatRecordName(kind)} ${JSON.stringify(name)}`,
    ...(action === 'update'
      ? changes.map(({ path, before, after }) => {
          const [from, to] = kind === 'webhooks' ? [withoutKeys(before), withoutKeys(after)] : [before, after]
          return isSecret(path) || from === to
            ? `    ${pathText(path)}: changed (secret)`
            : `    ${pathText(path)}: ${valueText(from)} -> ${valueText(to)}`
        })
      : []),
    ...(blocked === undefined ? [] : [`    ! ${blocked}`]),
    ...refusals.map((reason) => `    ! expected to be refused: ${reason}`),
  ]
}

/** A missing requirement of a step. Of a missing dashboard, the tiles are not named. */
function missingLines({ missing }: PlanStep, { steps }: Plan): string[] {
  const isGone = (dashboard?: string) => missing.some(({ kind, value }) => kind === 'dashboards' && value === dashboard)
  return missing
    .filter(({ kind, dashboard }) => kind !== 'tiles' || !isGone(dashboard))
    .map(({ kind, value }) => {
      const renamed = steps.find((step) => step.kind === kind && step.before?.['name'] === value && step.name !== value)
      const reason = renamed
        ? `which is renamed to ${JSON.stringify(renamed.name)}: use that name here`
        : 'which neither the files nor the deployment has'
      return `    ! needs the ${kind === 'tiles' ? 'tile' : formatRecordName(kind)} ${JSON.stringify(value)}, ${reason}`
    })
}

/** A value of a webhook with the keys in its body hidden. */
function withoutKeys(value: unknown): unknown {
  return typeof value === 'string' ? maskRoutingKeys(value, '•••') : value
}

function pathText(path: Path): string {
  return path.map((step) => (typeof step === 'object' ? step.id : String(step))).join(' > ')
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const text = stringifyJson(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

export function planJson(plan: Plan): string {
  const steps = plan.steps
    .filter(({ action }) => action !== 'same')
    .map(({ kind, name, action, id, changes, missing, blocked, refusals }) => ({
      kind,
      name,
      action,
      id,
      changes: changes.map(({ path, before, after }) =>
        kind === 'webhooks' && secrets.has(String(path[0]))
          ? { path }
          : kind === 'webhooks'
            ? { path, before: withoutKeys(before), after: withoutKeys(after) }
            : { path, before, after },
      ),
      missing: missing.map((reference) => ({ kind: reference.kind, name: reference.value })),
      blocked,
      refusals,
    }))
  return `${stringifyJson({ counts: plan.counts, requests: plan.requests, ready: plan.ready, steps })}\n`
}

/** @param paths of fields that were sent and are not stored */
export function notKeptText(paths: readonly string[]): string {
  return `the deployment did not keep ${paths.join(', ')}`
}
