/**
 * Dialogs, drawers and fields with a list, under the library's own names, loaded when they are first shown. Their code is
 * a third of the library, and no screen needs it to be read. The file is prefetched once the page is idle.
 */
import { type ColorInputProps, type DrawerProps, type ModalProps, Skeleton, type TagsInputProps } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { loadFile } from '../../api/load-file.ts'

type Overlays = typeof import('./overlays.ts')

const lazyOverlay = <Props,>(pick: (overlays: Overlays) => ComponentType<Props>) =>
  lazy(async () => ({ default: pick(await loadFile(() => import('./overlays.ts'))) }))

const LazyModal = lazyOverlay<ModalProps>(({ Modal }) => Modal)
const LazyDrawer = lazyOverlay<DrawerProps>(({ Drawer }) => Drawer)
const LazyTagsInput = lazyOverlay<TagsInputProps>(({ TagsInput }) => TagsInput)
const LazyColorInput = lazyOverlay<ColorInputProps>(({ ColorInput }) => ColorInput)

/** Dialogs here are closed by unmounting, which the library does not return the focus for. */
const useFocusReturn = (): void => {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Later: when the dialog is out of the page, and nothing else took the focus.
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

export const Modal = (props: ModalProps) => {
  useFocusReturn()
  return (
    <Suspense fallback={null}>
      <LazyModal {...props} />
    </Suspense>
  )
}

export const Drawer = (props: DrawerProps) => {
  useFocusReturn()
  return (
    <Suspense fallback={null}>
      <LazyDrawer {...props} />
    </Suspense>
  )
}

/** As high as a field with its label: nothing moves when it is loaded. */
const fieldSkeleton = <Skeleton height={60} radius={8} />

export const TagsInput = (props: TagsInputProps) => (
  <Suspense fallback={fieldSkeleton}>
    <LazyTagsInput {...props} />
  </Suspense>
)

export const ColorInput = (props: ColorInputProps) => (
  <Suspense fallback={fieldSkeleton}>
    <LazyColorInput {...props} />
  </Suspense>
)
