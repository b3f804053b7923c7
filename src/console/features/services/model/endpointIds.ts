/** "none" for an empty list, "not reported" for a missing one. */
export const endpointIds = (list: readonly string[] | null | undefined): string =>
  list ? list.join(', ') || 'none' : 'not reported'
