/** Saves a service. Only changes are sent; lists are changed entry by entry, not replaced. */
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { logChange } from '#console/shell/pendingChanges/changeLog.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { useRecordSave, type RecordSave } from '#console/shell/record/useRecordSave.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { services, serviceUpdate, type Service } from '#contract/services.ts'
import { serviceKey } from '../model/useService.ts'
import { serviceName } from '../model/serviceLabels.ts'
import { riskyChanges, formPath, serviceBody, serviceChanges, theirFields, type ServiceForm } from './serviceForm.ts'

interface SaveService {
  form: UseFormReturn<ServiceForm>
  base: Service
  onSaved: () => void
}

export function useSaveService({ form, base, onSaved }: SaveService): RecordSave<Service> {
  const { id: connectionId } = useConnection()
  const input = { params: { serviceId: base.id } }

  const saving = useRecordSave<Service>({
    resource: 'services',
    noun: 'service',
    nameOf: serviceName,
    base,
    record: services.get.result,
    read: () => call(connectionId, services.get, input, { priority: 'readBack' }),
    unchanged: (now) => !theirFields(form.getValues(), base, now).some(({ contested }) => contested),
    done: (now) => Object.keys(serviceBody(form.getValues(), base, now)).length === 0,
    write: async (on) => {
      const body = serviceBody(form.getValues(), base, on)
      if (Object.keys(body).length === 0) return on
      return call(connectionId, services.update, { ...input, body: serviceUpdate.parse(body) }, { base: on })
    },
    onSaved: (service) => {
      queryClient.setQueryData(q(connectionId, services.get, input).queryKey, service)
      logChange(serviceKey(connectionId, base.id), 'Edited', serviceChanges(form.getValues(), base))
      onSaved()
    },
    showFailure: (failure) => {
      const values = form.getValues()
      const sent = serviceBody(values, base, base)
      const fields = failure.fields ?? []
      const placed = fields.map(({ path, message }) => ({ path: formPath(path, sent, values), message }))
      const unclaimed = applyFieldErrors(form, placed, fieldNames(values))
      return fields.length > 0 && unclaimed.length === 0 ? null : formatError(failure, location.pathname)
    },
  })

  return {
    ...saving,
    save: async () => {
      const risks = riskyChanges(serviceBody(form.getValues(), base, base))
      const name = serviceName(base)
      if (risks.length > 0 && !(await confirm({ ...question(name, risks), typed: name }))) return
      await saving.save()
    },
  }
}

const question = (name: string, risks: readonly string[]) => ({
  title: `Save ${name}?`,
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
