/** Saving a service: look first, so that lists are changed and not replaced, then write what differs. */
import { useState } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { errorWords } from '#console/api/errors.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { noteChange } from '#console/shell/changeLog.ts'
import { confirm } from '#console/shell/confirm.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { services, serviceUpdate, type Service } from '#contract/services.ts'
import { serviceThing } from '../useService.ts'
import { serviceName } from '../words.ts'
import { contested, dangers, formPath, serviceBody, serviceChanges, type ServiceForm } from './serviceForm.ts'

interface SaveService {
  form: UseFormReturn<ServiceForm>
  base: Service
  onSaved: (service: Service) => void
}

export function useSaveService({ form, base, onSaved }: SaveService) {
  const { id: connectionId } = useConnection()
  const [error, setError] = useState<ErrorText | null>(null)
  const [pending, setPending] = useState(false)
  /** The service as somebody else left it, where single fields of it are contested. */
  const [theirs, setTheirs] = useState<Service | null>(null)
  const input = { params: { serviceId: base.id } }

  const saved = (service: Service, form: ServiceForm) => {
    queryClient.setQueryData(q(connectionId, services.get, input).queryKey, service)
    noteChange(serviceThing(connectionId, base.id), 'Edited', serviceChanges(form, base))
    void invalidate(connectionId, 'services')
    onSaved(service)
  }
  const fail = (thrown: unknown, body: Record<string, unknown>) => {
    const failure = asFailure(thrown)
    const values = form.getValues()
    const names = fieldNames(values)
    const fields = (failure.fields ?? []).map(({ path, message }) => ({ path: formPath(path, body, values), message }))
    const unclaimed = applyFieldErrors(form, fields, names)
    setError(fields.length > 0 && unclaimed.length === 0 ? null : errorWords(failure, location.pathname))
  }

  const submit = form.handleSubmit(async (values) => {
    setError(null)
    const risks = dangers(serviceBody(values, base, base))
    const name = serviceName(base)
    if (risks.length > 0 && !(await confirm({ ...question(name, risks), typed: name }))) return
    setPending(true)
    let body: Record<string, unknown> = {}
    try {
      const fresh = await call(connectionId, services.get, input, { priority: 'readBack' })
      // Once their values were shown, sending again is the decision to overwrite them.
      if (!theirs && contested(values, base, fresh).length > 0) return setTheirs(fresh)
      body = serviceBody(values, base, fresh)
      if (Object.keys(body).length === 0) return saved(fresh, values)
      saved(await call(connectionId, services.update, { ...input, body: serviceUpdate.parse(body) }), values)
    } catch (thrown) {
      fail(thrown, body)
    } finally {
      setPending(false)
    }
  })
  return { submit, pending, error, theirs }
}

const question = (name: string, risks: readonly string[]) => ({
  title: `Change ${name}?`,
  body: risks.join(' '),
  action: 'Save service',
  danger: true,
})

function fieldNames({ access, privateEndpoints }: ServiceForm): FieldPath<ServiceForm>[] {
  return [
    'name',
    'releaseChannel',
    'mysql',
    'keyId',
    'access',
    'privateEndpoints',
    ...access.flatMap((_, at) => [`access.${at}.source` as const, `access.${at}.description` as const]),
    ...privateEndpoints.map((_, at) => `privateEndpoints.${at}.value` as const),
  ]
}
