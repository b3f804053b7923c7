/** The details of a row or span beside the others; on a phone, over the page. */
export const detailsPanelStyle = {
  position: { xs: 'fixed', md: 'sticky' },
  top: { xs: 0, md: 8 },
  inset: { xs: 0, md: 'auto' },
  zIndex: { xs: 'modal', md: 0 },
  alignSelf: { md: 'start' },
  maxHeight: { md: 'calc(100dvh - 90px)' },
  overflow: 'auto',
  minWidth: 0,
  p: 3,
  border: 1,
  borderColor: 'divider',
  borderRadius: { md: '10px' },
  bgcolor: 'background.paper',
} as const
