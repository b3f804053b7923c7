import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, PlugZap, Trash2, Upload } from 'lucide-react'
import { deleteConnection, testConnection } from '#console/api/gateway/connectionWrites.ts'
import { formatError } from '#console/api/errors.ts'
import { paths } from '#console/paths/paths.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { nameToConfirm } from '#console/shell/stage/stageLabels.ts'
import { ConnectionBadges } from '#console/frame/switcher/ConnectionBadges.tsx'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { roleReason } from '#contract/console/consoleRoles.ts'
import { TestResult } from './TestResult.tsx'
import { variantLabels } from './variantLabels.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { useKeyExpiry } from '#console/records/apiKeys/keyExpiry.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as base from '#console/ui/base/base.module.css'
import * as css from './connections.module.css'

/** One connection: address, key, whether writes are allowed, and a connection test. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const { id, name, variant, stage, role } = connection
  const test = useMutation({ mutationFn: () => testConnection(id) })
  const navigate = useNavigate()
  const refused = role && roleReason(role, 'administrate', stage)
  const openFiles = (files: 'export' | 'import') => void navigate({ to: paths.history(id), search: { files } })
  const remove = async () => {
    const yes = await confirm({
      title: `Delete connection ${name}?`,
      body: 'Its address and key are removed from this console. The deployment and everything in it stay as they are.',
      action: 'Delete connection',
      danger: true,
      irreversible: true,
      connection,
    })
    if (!yes) return
    await runWithToast(() => deleteConnection(id, nameToConfirm(connection)), `Connection ${name} deleted`)
  }
  return (
    <article
      aria-label={name}
      className={`${base.card} ${css.connectionCard}`}
      style={{ borderTopColor: `var(--stage-${stage})` }}
    >
      <div className={css.connectionContent}>
        <div className={css.connectionHeader}>
          <div className={css.connectionHeading}>
            <StageDot stage={stage} />
            <Text variant="h2" className={css.connectionTitle}>
              <TextLink to={paths.alerts(id)} className={css.titleLink}>
                {name}
              </TextLink>
            </Text>
            <StatusChip tone="neutral">{variantLabels[variant]}</StatusChip>
            <ConnectionBadges connection={connection} />
          </div>
          <ActionMenu
            label={`Actions of ${name}`}
            actions={[
              { label: 'Export records…', icon: Download, run: () => openFiles('export') },
              { label: 'Import records…', icon: Upload, run: () => openFiles('import') },
              { label: 'Delete connection', icon: Trash2, danger: true, disabled: refused, run: () => void remove() },
            ]}
          />
        </div>
        <DescriptionList rows={factsOf(connection)} />
        <ExpiringKey connection={connection} />
        {test.data && <TestResult result={test.data} />}
        {test.error && <SubmitError error={formatError(test.error)} />}
        <div className={css.connectionSpacer} />
        <div className={css.connectionActions}>
          <LinkButton to={paths.alerts(id)} variant="contained" color="primary">
            Open
          </LinkButton>
          {refused === undefined && <LinkButton to={paths.editConnection(id)}>Edit</LinkButton>}
          <LinkButton to={paths.connectionApproval(id)}>Approval</LinkButton>
          <Button startIcon={<PlugZap size={14} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
            Test
          </Button>
        </div>
      </div>
    </article>
  )
}

/** A warning before the console loses access. */
function ExpiringKey({ connection }: { connection: Connection }) {
  const expiry = useKeyExpiry(connection)
  if (!expiry) return null
  const to = expiry.apiKeyId ? paths.rotateApiKey(connection.id, expiry.apiKeyId) : paths.apiKeys(connection.id)
  return (
    <Notice
      tone={expiry.own ? 'warning' : 'info'}
      action={<TextLink to={to}>{expiry.apiKeyId ? 'Rotate' : 'API keys'}</TextLink>}
    >
      {expiry.text}
    </Notice>
  )
}

function factsOf(connection: Connection) {
  const { baseUrl, organizationId, serviceId, keyId, secretEnd } = connection
  const code = (text: string | undefined) => text && <code>{text}</code>
  return [
    ['Base URL', code(baseUrl)],
    ['Organization', code(organizationId)],
    ['Service', code(serviceId)],
    ['Key ID', code(keyId)],
    ['Key', secretEnd ? <>ends in {code(secretEnd)}</> : 'stored'],
  ] as const
}
