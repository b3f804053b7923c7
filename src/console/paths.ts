/** Every address of the console, as a function of what is in it. The route tree is in routes.tsx. */

const under = (connectionId: string, rest: string) => `/c/${connectionId}/${rest}`

export const paths = {
  home: () => '/',
  signIn: () => '/sign-in',
  sessions: () => '/sessions',
  connections: () => '/connections',
  newConnection: () => '/connections/new',
  editConnection: (connectionId: string) => `/connections/${connectionId}/edit`,
  dashboards: (connectionId: string) => under(connectionId, 'dashboards'),
  dashboard: (connectionId: string, dashboardId: string) => under(connectionId, `dashboards/${dashboardId}`),
  alerts: (connectionId: string) => under(connectionId, 'alerts'),
  newAlert: (connectionId: string) => under(connectionId, 'alerts/new'),
  alert: (connectionId: string, alertId: string) => under(connectionId, `alerts/${alertId}`),
  editAlert: (connectionId: string, alertId: string) => under(connectionId, `alerts/${alertId}/edit`),
  sources: (connectionId: string) => under(connectionId, 'sources'),
  newSource: (connectionId: string) => under(connectionId, 'sources/new'),
  source: (connectionId: string, sourceId: string) => under(connectionId, `sources/${sourceId}`),
  editSource: (connectionId: string, sourceId: string) => under(connectionId, `sources/${sourceId}/edit`),
  webhooks: (connectionId: string) => under(connectionId, 'webhooks'),
  newWebhook: (connectionId: string) => under(connectionId, 'webhooks/new'),
  webhook: (connectionId: string, webhookId: string) => under(connectionId, `webhooks/${webhookId}`),
  editWebhook: (connectionId: string, webhookId: string) => under(connectionId, `webhooks/${webhookId}/edit`),
  explorer: (connectionId: string) => under(connectionId, 'explorer'),
  services: (connectionId: string) => under(connectionId, 'services'),
  service: (connectionId: string, serviceId: string) => under(connectionId, `services/${serviceId}`),
  editService: (connectionId: string, serviceId: string) => under(connectionId, `services/${serviceId}/edit`),
  scaleService: (connectionId: string, serviceId: string) => under(connectionId, `services/${serviceId}/scaling`),
  pipeSize: (connectionId: string, serviceId: string) => under(connectionId, `services/${serviceId}/pipe-size`),
  pipes: (connectionId: string) => under(connectionId, 'pipes'),
  newPipe: (connectionId: string) => under(connectionId, 'pipes/new'),
  pipe: (connectionId: string, serviceId: string, pipeId: string) =>
    under(connectionId, `pipes/${serviceId}/${pipeId}`),
  editPipe: (connectionId: string, serviceId: string, pipeId: string) =>
    under(connectionId, `pipes/${serviceId}/${pipeId}/edit`),
  scalePipe: (connectionId: string, serviceId: string, pipeId: string) =>
    under(connectionId, `pipes/${serviceId}/${pipeId}/scaling`),
  pipeSettings: (connectionId: string, serviceId: string, pipeId: string) =>
    under(connectionId, `pipes/${serviceId}/${pipeId}/settings`),
}

/** A page of one connection, on another: `/c/a/alerts` with b -> `/c/b/alerts`. The template's further parameters are cut off. */
export function onConnection(template: string, connectionId: string): string {
  const [, ...rest] = template.replace('/c/$connectionId', '').split('/')
  const parameter = rest.findIndex((segment) => segment.startsWith('$'))
  const kept = (parameter === -1 ? rest : rest.slice(0, parameter)).filter((segment) => segment !== '')
  return under(connectionId, kept.join('/'))
}
