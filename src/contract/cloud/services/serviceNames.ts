/** Names of services. */
import { z } from 'zod'
import { misleading, misleadingRule } from '../../wire/givenNames.ts'
import { hasProductNames, type WireNames } from '../../wire/naming.ts'

/** Maximum length of the name of a service. */
export const maxServiceName = 50

export const anyName = z.string().min(1).max(maxServiceName)
/** The rule of the published API. */
export const specifiedName = anyName
  .regex(/^[A-Za-z0-9\s]*$/, 'may hold letters, digits and spaces only')
  .refine((name) => name.trim() !== '', 'must hold a letter or digit')
/** The rule of deployments with the product's own names, which have services such as `team-a_eu.1 [test]`. */
export const productName = anyName
  .refine((name) => /[\p{L}\p{N}]/u.test(name), 'must hold a letter or digit')
  .refine((name) => !misleading.test(name), misleadingRule)

/**
 * The rule for a new name of a service.
 * @param current its name today: a service whose name breaks the specification's rule is on a deployment without it
 */
export function serviceNameRule(names: WireNames, current?: string | null): z.ZodType<string, string> {
  const isBound = !hasProductNames(names) && (!current || specifiedName.safeParse(current).success)
  return isBound ? specifiedName : productName
}
