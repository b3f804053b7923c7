import { useNavigate } from '@tanstack/react-router'
import { FileCode, Pencil, Terminal, Trash2 } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { z } from 'zod'
import { curlOf } from '#console/api/curl.ts'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelColumns } from '#console/ui/layout/PanelColumns.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { exportedKinds, type ExportedKind } from '#domain/terraform/exportedKinds.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { terraformText } from '../terraformText.ts'
import type { PageAction } from '#console/shell/pageActions.ts'
import { DetailPage } from './DetailPage.tsx'
import { inputOf } from './recordCalls.ts'
import { asCrud, type RecordBase, type RecordContext, type RecordKey, type Resource, type Uses } from './resource.ts'
import { useRecordKey } from './useRecord.ts'
import { TabLinks } from './TabLinks.tsx'
import { useDeleteRecord } from './useDeleteRecord.tsx'
import { useEnvironmentActions } from './useEnvironmentActions.ts'
import * as css from '../records.module.css'

interface RecordPageProps<T extends RecordBase> extends Omit<RecordContext<T>, 'usesOf'> {
  resource: Resource<T>
  record: T
  /** Chips beside the title. */
  state?: ReactNode
  lead?: ReactNode
  /** Links to the other pages of the record. */
  nav?: ReactNode
  /** Actions before Delete and Edit. Give it a stable array (useMemo). */
  actions?: readonly PageAction[]
  /** Actions after them. Give it a stable array (useMemo). */
  moreActions?: readonly PageAction[]
  /** The record as it may be shown. Default: as it was read. */
  shown?: unknown
  /** The dialogs over the page, in each of its views. */
  overlay?: ReactNode
  children: ReactNode
}

/** The query string of a record's page that shows its JSON. */
export const jsonView = { view: 'json' }
const urlState = z.object({ view: z.enum(['overview', 'json']).catch('overview') })

/** The page of one record, and what can be done with it. */
export function RecordPage<T extends RecordBase>(props: RecordPageProps<T>) {
  const { resource, record, state, lead, shown = record, children } = props
  const { nameOf = resource.nameOf } = props
  const { id: connectionId } = useConnection()
  const [{ view }] = useUrlState(urlState)
  const key = useRecordKey(resource)
  const page = resource.paths.detail(connectionId, ...key)
  const { actions, dialog } = useActions(props)
  const moreActions = useMoreActions(resource, record)
  return (
    <DetailPage
      title={nameOf(record)}
      state={state}
      lead={lead}
      nav={
        props.nav ?? (
          <TabLinks
            label={`Views of the ${resource.noun}`}
            tabs={[
              { label: 'Overview', to: page, isCurrent: view !== 'json' },
              { label: 'JSON', to: page, search: jsonView },
            ]}
          />
        )
      }
      actions={actions}
      moreActions={moreActions}
    >
      {view === 'json' ? (
        <Panel flush>
          <JsonView text={stringifyJson(shown, 2)} label={`The ${resource.noun} as JSON`} />
        </Panel>
      ) : (
        children
      )}
      {props.overlay}
      {dialog}
    </DetailPage>
  )
}

type RecordDetailProps<T extends RecordBase> = RecordPageProps<T> & Pick<RecordContext<T>, 'usesOf'>

/** The page of one record with the panels of its resource, what uses it, and its ID and times. */
export function RecordDetail<T extends RecordBase>(props: RecordDetailProps<T>) {
  const { resource, record, usesOf, children } = props
  return (
    <RecordPage {...props}>
      <PanelColumns>
        {children}
        {resource.uses && <UsesPanel uses={usesOf?.(record.id)} blocked={resource.uses.blocked} />}
        <Panel title="Details">
          <DescriptionList
            rows={[
              ['ID', <CopyId key="id" id={record.id} />],
              ['Created', record.createdAt && <Timestamp key="created" iso={record.createdAt} />],
              ['Updated', record.updatedAt && <Timestamp key="updated" iso={record.updatedAt} />],
            ]}
          />
        </Panel>
      </PanelColumns>
    </RecordPage>
  )
}

const none: readonly PageAction[] = []

function useActions<T extends RecordBase>(props: RecordPageProps<T>): { actions: PageAction[]; dialog: ReactNode } {
  const { resource, record, actions: before = none, moreActions: after = none } = props
  const connection = useConnection()
  const { locked: disabled = lockReason(connection), nameOf = resource.nameOf } = props
  const { id: connectionId } = connection
  const navigate = useNavigate()
  const { remove, dialog } = useDeleteRecord(resource, nameOf)
  const key = useRecordKey(resource)
  const actions = useMemo(() => {
    const leave = () => navigate({ to: resource.paths.list(connectionId) })
    const edit = () => navigate({ to: resource.paths.edit(connectionId, ...key) })
    const removal = remove && (() => void remove(record, { key, leave }))
    return [
      ...before,
      ...(removal ? [{ label: 'Delete', icon: Trash2, danger: true, disabled, run: removal }] : []),
      ...after,
      { label: 'Edit', icon: Pencil, key: 'e', disabled, run: () => void edit() },
    ]
  }, [resource, record, key, before, after, connectionId, disabled, navigate, remove])
  return { actions, dialog }
}

/** The ways out of the console, to the record's history and to other connections. */
function useMoreActions<T extends RecordBase>(resource: Resource<T>, record: T): PageAction[] {
  const connection = useConnection()
  const key = useRecordKey(resource)
  const environments = useEnvironmentActions(resource.name)
  return useMemo(() => {
    const kind = exportedKinds.find((exportedKind) => exportedKind === resource.name)
    const copyCommand = () => void copyText(commandOf(resource, connection, record, key) ?? '', 'Command')
    const copyTerraform = (exported: ExportedKind) => async () =>
      copyText(await terraformText(exported, record, connection), 'Configuration')
    return [
      ...environments.ofRecord(record.id),
      { label: 'Copy as cURL', icon: Terminal, run: copyCommand },
      ...(kind ? [{ label: 'Copy as Terraform', icon: FileCode, run: copyTerraform(kind) }] : []),
    ]
  }, [resource, record, connection, key, environments])
}

/** The uses of the record, and their effect on its deletion. */
function UsesPanel({ uses, blocked }: { uses: Uses | undefined; blocked: string | undefined }) {
  return (
    <Panel title="Used by">
      {!uses && 'Not known yet.'}
      {uses && uses.summary === '' && 'Nothing uses it.'}
      {uses?.summary && (
        <div className={css.recordUses}>
          {uses.links(false)}
          {uses.blocking && <Notice tone="info">{blocked}</Notice>}
        </div>
      )}
    </Panel>
  )
}

/** The update that changes nothing; where it would be refused, the read. */
function commandOf<T extends RecordBase>(
  resource: Resource<T>,
  connection: Connection,
  record: T,
  key: RecordKey,
): string | null {
  const { api, findInList, secretBody } = resource
  const body = api.update.body.safeParse(asCrud(resource)?.deletion.body?.(record))
  if (body.success && !secretBody) return curlOf(connection, api.update, inputOf(resource, key, body.data))
  if (api.get && !findInList) return curlOf(connection, api.get, inputOf(resource, key))
  return curlOf(connection, api.list, {})
}
