import Box from '@mui/material/Box'

/** The placeholder of a page while its code is loading. */
export function PendingPage() {
  return (
    <Box aria-busy sx={{ p: '18px 22px' }}>
      <Block width={180} height={22} />
      <Block width={320} height={14} />
      <Block width="100%" height={240} />
    </Box>
  )
}

function Block({ width, height }: { width: number | string; height: number }) {
  return <Box sx={{ width, maxWidth: '100%', height, mb: 3, borderRadius: '6px', bgcolor: 'divider' }} />
}
