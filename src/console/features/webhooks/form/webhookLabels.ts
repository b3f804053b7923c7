/** Labels of webhooks. */
const services: Record<string, string> = {
  slack: 'Slack',
  generic: 'Custom',
  incidentio: 'incident.io',
  slack_api: 'Slack app',
  pagerduty_api: 'PagerDuty',
}

/** An unknown service is shown unchanged. */
export const formatService = (service: string) => services[service] ?? service

/** The API's own refusals name no field: these are the fields they mean. */
const meantFields: readonly (readonly [says: RegExp, field: string])[] = [
  [/service and name already exists/i, 'name'],
  [/webhook url/i, 'url'],
]

/** The field of an error without fields; undefined if the error names none. */
export const fieldMeant = (message: string) => meantFields.find(([says]) => says.test(message))?.[1]
