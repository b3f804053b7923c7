/** The variables that a body template can use. */

/** On every deployment. */
const common = ['title', 'body', 'link', 'state', 'startTime', 'endTime', 'eventId'] as const

/** On this stack, and on deployments after version 2.36. Before, they are empty. */
const further = [
  'value',
  'groupKey',
  'status',
  'alertId',
  'alertType',
  'comparator',
  'threshold',
  'thresholdMax',
  'sourceQuery',
  'teamId',
  'note',
  'startTimeISO',
  'endTimeISO',
] as const

/** @param hasAll whether the deployment has all variables; otherwise it may have the common ones only */
export function bodyHelp(hasAll: boolean): string {
  const shown = hasAll ? ['title', 'body', 'link', 'state', 'value', 'groupKey', 'eventId'] : common
  const more = hasAll ? '' : ' Versions after 2.36 also have {{value}}, {{groupKey}}, {{threshold}} and others.'
  return `Handlebars template with ${listed(shown)}.${more} Leave empty for the default message.`
}

/** Variables of a body that the deployment may not have; null if there is nothing. */
export function missingVariables(body: string): string | null {
  const used = further.filter((name) => new RegExp(String.raw`\{\{[^}]*\b${name}\b[^}]*\}\}`).test(body))
  if (used.length === 0) return null
  const are = used.length === 1 ? 'is' : 'are'
  return `${listed(used)} ${are} empty on deployments up to version 2.36. A number without quotes leaves invalid JSON there.`
}

/** "{{a}}, {{b}} and {{c}}" */
function listed(names: readonly string[]): string {
  const written = names.map((name) => `{{${name}}}`)
  return [written.slice(0, -1).join(', '), ...written.slice(-1)].filter((text) => text !== '').join(' and ')
}
