/**
 * Every page of the console: its URL, parameters as `$name`, and the file that draws it. The routes (`routes/`), the
 * links (`paths.ts`) and the preloads of the build (`src/build/pageChunks.ts`) are derived from this table.
 */
export const pages = {
  /** Both homes redirect to the dashboards. */
  home: { url: '/', file: 'features/dashboards/DashboardsPage.tsx' },
  connectionHome: { url: '/c/$connectionId', file: 'features/dashboards/DashboardsPage.tsx' },

  /** The link of a notification, which knows no connection: redirects to the dashboard on the last one. */
  linkedDashboard: { url: '/dashboards/$dashboardId', file: 'features/dashboards/DashboardPage.tsx' },

  /** The same for a saved search: opens it on the search page. */
  linkedSearch: { url: '/search/$savedSearchId', file: 'features/search/SearchPage.tsx' },

  signIn: { url: '/sign-in', file: 'shell/session/SignInPage.tsx' },
  sessions: { url: '/sessions', file: 'features/sessions/SessionsPage.tsx' },
  connections: { url: '/connections', file: 'features/connections/ConnectionsPage.tsx' },
  newConnection: { url: '/connections/new', file: 'features/connections/NewConnectionPage.tsx' },
  editConnection: { url: '/connections/$connectionId/edit', file: 'features/connections/EditConnectionPage.tsx' },

  dashboards: { url: '/c/$connectionId/dashboards', file: 'features/dashboards/DashboardsPage.tsx' },
  dashboard: { url: '/c/$connectionId/dashboards/$dashboardId', file: 'features/dashboards/DashboardPage.tsx' },

  alerts: { url: '/c/$connectionId/alerts', file: 'features/alerts/AlertsPage.tsx' },
  newAlert: { url: '/c/$connectionId/alerts/new', file: 'features/alerts/NewAlertPage.tsx' },
  alert: { url: '/c/$connectionId/alerts/$alertId', file: 'features/alerts/detail/AlertPage.tsx' },
  editAlert: { url: '/c/$connectionId/alerts/$alertId/edit', file: 'features/alerts/EditAlertPage.tsx' },

  sources: { url: '/c/$connectionId/sources', file: 'features/sources/SourcesPage.tsx' },
  newSource: { url: '/c/$connectionId/sources/new', file: 'features/sources/NewSourcePage.tsx' },
  source: { url: '/c/$connectionId/sources/$sourceId', file: 'features/sources/SourcePage.tsx' },
  editSource: { url: '/c/$connectionId/sources/$sourceId/edit', file: 'features/sources/EditSourcePage.tsx' },

  webhooks: { url: '/c/$connectionId/webhooks', file: 'features/webhooks/WebhooksPage.tsx' },
  newWebhook: { url: '/c/$connectionId/webhooks/new', file: 'features/webhooks/NewWebhookPage.tsx' },
  webhook: { url: '/c/$connectionId/webhooks/$webhookId', file: 'features/webhooks/WebhookPage.tsx' },
  editWebhook: { url: '/c/$connectionId/webhooks/$webhookId/edit', file: 'features/webhooks/EditWebhookPage.tsx' },

  savedSearches: { url: '/c/$connectionId/saved-searches', file: 'features/savedSearches/SavedSearchesPage.tsx' },
  newSavedSearch: {
    url: '/c/$connectionId/saved-searches/new',
    file: 'features/savedSearches/NewSavedSearchPage.tsx',
  },
  savedSearch: {
    url: '/c/$connectionId/saved-searches/$savedSearchId',
    file: 'features/savedSearches/SavedSearchPage.tsx',
  },
  editSavedSearch: {
    url: '/c/$connectionId/saved-searches/$savedSearchId/edit',
    file: 'features/savedSearches/EditSavedSearchPage.tsx',
  },

  search: { url: '/c/$connectionId/search', file: 'features/search/SearchPage.tsx' },
  trace: { url: '/c/$connectionId/traces/$traceId', file: 'features/search/TracePage.tsx' },
  explorer: { url: '/c/$connectionId/explorer', file: 'features/explorer/ExplorerPage.tsx' },

  services: { url: '/c/$connectionId/services', file: 'features/services/ServicesPage.tsx' },
  service: { url: '/c/$connectionId/services/$serviceId', file: 'features/services/ServicePage.tsx' },
  editService: { url: '/c/$connectionId/services/$serviceId/edit', file: 'features/services/EditServicePage.tsx' },
  scaleService: {
    url: '/c/$connectionId/services/$serviceId/scaling',
    file: 'features/services/ServiceScalingPage.tsx',
  },
  pipeSize: { url: '/c/$connectionId/services/$serviceId/pipe-size', file: 'features/pipes/PipeSizePage.tsx' },

  pipes: { url: '/c/$connectionId/pipes', file: 'features/pipes/PipesPage.tsx' },
  newPipe: { url: '/c/$connectionId/pipes/new', file: 'features/pipes/NewPipePage.tsx' },
  pipe: { url: '/c/$connectionId/pipes/$serviceId/$dataPipeId', file: 'features/pipes/PipePage.tsx' },
  editPipe: { url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/edit', file: 'features/pipes/EditPipePage.tsx' },
  scalePipe: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/scaling',
    file: 'features/pipes/PipeScalingPage.tsx',
  },
  pipeSettings: {
    url: '/c/$connectionId/pipes/$serviceId/$dataPipeId/settings',
    file: 'features/pipes/PipeSettingsPage.tsx',
  },
} as const satisfies Record<string, { url: `/${string}`; file: string }>

type Pages = typeof pages

/** The name of a page: `editAlert`. */
export type PageName = keyof Pages

export type PageUrl<Name extends PageName> = Pages[Name]['url']

/** The parameters of a URL in their order: `['connectionId', 'alertId']`. */
export type UrlParams<Url extends string> = Url extends `${string}$${infer Name}/${infer Rest}`
  ? [Name, ...UrlParams<Rest>]
  : Url extends `${string}$${infer Name}`
    ? [Name]
    : []

/** A parameter of any page's URL. */
export type ParamName = UrlParams<PageUrl<PageName>>[number]
