/** Labels of webhooks. */
const services: Record<string, string> = {
  slack: 'Slack',
  generic: 'Generic',
  incidentio: 'incident.io',
  slack_api: 'Slack app',
  pagerduty_api: 'PagerDuty',
}

/** A service that this console does not know is shown as it is spelled. */
export const formatService = (service: string) => services[service] ?? service

/** The API's own refusals name no field: these are the fields they mean. */
const meantFields: readonly (readonly [says: RegExp, field: string])[] = [
  [/service and name already exists/i, 'name'],
  [/webhook url/i, 'url'],
]

/** The field that a refusal without fields is about; undefined where it says nothing about one. */
export const fieldMeant = (message: string) => meantFields.find(([says]) => says.test(message))?.[1]
