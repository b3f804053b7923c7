/** Filters of services by their tags: docs/DEPLOYMENTS.md#conventions. */
import type { ServiceDocument } from './serviceDocument.ts'

/**
 * @param filter `tag:Key` or `tag:Key=Value`, or several of them, all of which must match; undefined matches every service
 * @returns whether a service has the tags
 */
export function tagFilterOf(filter: string | readonly string[] | undefined): (service: ServiceDocument) => boolean {
  const wanted = [filter ?? []].flat().map((tag) => tag.slice('tag:'.length).split('='))
  return ({ tags }) =>
    wanted.every(([key, value]) =>
      tags?.some((tag) => tag.key === key && (value === undefined || (tag.value ?? '') === value)),
    )
}
