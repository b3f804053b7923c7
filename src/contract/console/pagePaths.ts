/** Paths of the gateway that single pages need. Apart from the others, because the frame needs none of them. */
export const pagePaths = {
  /** All sessions. */
  sessions: '/api/sessions',
  oneSession: '/api/sessions/{sessionId}',
  /** Samples of a managed connection's pipes: `pipeSamples.ts`. */
  pipeSamples: '/api/connections/{connectionId}/pipe-samples',
  /** Samples of one service of a managed connection: `serviceSamples.ts`. */
  serviceSamples: '/api/connections/{connectionId}/service-samples',
  /** The memory that one of its services used over the last day: `serviceSamples.ts`. */
  serviceLoad: '/api/connections/{connectionId}/service-load',
  /** The load of the last days of a connection's pipes and services, against which sizes are judged: `sizeLoads.ts`. */
  sizeLoads: '/api/connections/{connectionId}/size-loads',
  /** The expected load at a size that was chosen: `sizeLoads.ts`. */
  sizePredictions: '/api/connections/{connectionId}/size-predictions',
  /** Renders a notification without sending it: `notificationPreviews.ts`. */
  notificationPreview: '/api/c/{connectionId}/notification-preview',
  /** The changes in a time range, for charts: `markers.ts`. */
  markers: '/api/c/{connectionId}/markers',
  /** A marker of a release pipeline. */
  marker: '/api/c/{connectionId}/markers/{markerId}',
  /** Removes a damaged record: `damage.ts`. */
  damagedRecords: '/api/damaged-records',
} as const
