"use client";

import "@xyflow/react/dist/base.css";
import "./canvas.css";
import {
  Background,
  type Connection,
  type ConnectionLineComponentProps,
  type EdgeChange,
  type FinalConnectionState,
  getViewportForBounds,
  type NodeChange,
  type OnMove,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { LiveRegion } from "../ui/live-region";
import { nodeAt, type Overview } from "./draw-overview";
import { edgePath } from "./edge-path";
import { EdgeHeads, type FlowConflict, FlowConflictEdge, type FlowEdge, FlowPlanEdge } from "./flow-edge";
import { type FlowNode, FlowTask } from "./flow-node";
import { CARD_HEIGHT, CARD_WIDTH } from "./layered-layout";
import { boundsOf, Minimap } from "./minimap";
import { type Direction, neighbourOf } from "./neighbours";
import { OverviewLayer } from "./overview-layer";
import type { CanvasSelection, PictureConflict, PictureEdge, PictureNode, Place } from "./picture";
import { describeNode } from "./task-card";
import { useFlowEdges, useFlowNodes } from "./use-flow-elements";
import { ZoomControls } from "./zoom-controls";

/** What a slice may ask of a mounted canvas. */
export interface CanvasController {
  /** Shows the whole plan, at 100 % at most. */
  fit(): void;
  /** Brings a task into view, without changing the zoom unless it is too small to read. */
  reveal(taskId: string): void;
  /** Room for one more card near the middle of what is seen, in plan coordinates. */
  room(): Place;
  focus(): void;
}

export interface PlanCanvasProps {
  /** Names the picture for a screen reader: "Plan graph". */
  readonly label: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly conflicts?: readonly PictureConflict[];
  readonly selection: CanvasSelection;
  readonly onSelect: (selection: CanvasSelection) => void;
  /** Enter or double click on a task. */
  readonly onOpen?: (taskId: string) => void;
  /** Without it the canvas is a picture: nothing moves, nothing connects. */
  readonly editing?: CanvasEditing;
  /** Changes when another plan is shown; the canvas then fits it into view. */
  readonly fitKey?: string;
  readonly controller?: Ref<CanvasController>;
  /** Floating bars. */
  readonly topLeft?: ReactNode;
  readonly topRight?: ReactNode;
  readonly bottomRight?: ReactNode;
  /** In the middle, over an empty canvas. */
  readonly empty?: ReactNode;
  readonly minimap?: boolean;
  /** Space that bars over the canvas take, so that fitting leaves it free. */
  readonly insetTop?: number;
}

export interface CanvasEditing {
  readonly onConnect: (from: string, to: string) => void;
  /** Why an edge may not be drawn, in words; undefined when it may. Asked while the pointer is over a task. */
  readonly refuse: (from: string, to: string) => string | undefined;
  /** An edge was dropped on the empty canvas. */
  readonly onConnectToNothing?: (from: string, place: Place) => void;
  /** Once a gesture, with every task that moved. */
  readonly onMove: (places: ReadonlyMap<string, Place>) => void;
  readonly onDoubleClickCanvas?: (place: Place) => void;
  /** Something of type `accepts` was dropped. */
  readonly onDrop?: (data: string, place: Place) => void;
  readonly accepts?: string;
}

/** Below: blocks on a 2D canvas. Above, with some slack so that a zoom at the edge does not flicker: cards. */
const OVERVIEW_ZOOM = 0.5;
const TITLE_ZOOM = 0.8;
const MIN_ZOOM = 0.04;
const MAX_ZOOM = 2;
const READABLE_ZOOM = 0.85;
const MINIMAP_TASKS_MIN = 24;

const NODE_TYPES = { task: FlowTask };
const EDGE_TYPES = { plan: FlowPlanEdge, conflict: FlowConflictEdge };
const NO_NODES: FlowNode[] = [];
const NO_EDGES: (FlowEdge | FlowConflict)[] = [];
const NO_CONFLICTS: readonly PictureConflict[] = [];

export function PlanCanvas(props: PlanCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas(props: PlanCanvasProps) {
  const {
    label,
    nodes,
    edges,
    conflicts = NO_CONFLICTS,
    selection,
    onSelect,
    onOpen,
    editing,
    controller,
    insetTop = 0,
  } = props;
  const flow = useReactFlow<FlowNode, FlowEdge | FlowConflict>();
  const container = useRef<HTMLDivElement>(null);
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const [dragged, setDragged] = useState<ReadonlyMap<string, Place>>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isConnecting, setConnecting] = useState(false);
  const [hovered, setHovered] = useState<string>();
  const isOverview = useStore((state) => state.transform[2] < OVERVIEW_ZOOM);
  const detail = useStore((state) => (state.transform[2] < TITLE_ZOOM ? "title" : "full"));

  const flowNodes = useFlowNodes({ nodes, selection, dragged });
  const flowEdges = useFlowEdges({ edges, conflicts, selection, dragged, byId });
  const overview = useMemo<Overview>(
    () => ({ nodes, byId, edges, conflicts, selection: selection.tasks, selectedEdges: selection.edges }),
    [nodes, byId, edges, conflicts, selection],
  );

  const view = useView({
    nodes,
    byId,
    container,
    insetTop,
    ...(props.fitKey === undefined ? {} : { fitKey: props.fitKey }),
  });
  useImperativeHandle(controller, () => view, [view]);

  // React Flow reports one gesture as several changes within one tick; each must see what the one before it made.
  const latest = useRef(selection);
  latest.current = selection;
  const select = useCallback(
    (change: (before: CanvasSelection) => CanvasSelection) => {
      const next = change(latest.current);
      if (sameSelection(next, latest.current)) return;
      latest.current = next;
      onSelect(next);
    },
    [onSelect],
  );

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const moves = new Map<string, Place>();
      const tasks = new Set(latest.current.tasks);
      let selectionChanged = false;
      for (const change of changes) {
        if (change.type === "position" && change.position !== undefined && change.dragging) {
          moves.set(change.id, change.position);
        } else if (change.type === "select") {
          selectionChanged = true;
          if (change.selected) tasks.add(change.id);
          else tasks.delete(change.id);
        }
      }
      if (moves.size > 0) setDragged((before) => new Map([...(before ?? []), ...moves]));
      if (selectionChanged) select((before) => ({ ...before, tasks }));
    },
    [select],
  );

  const onEdgesChange = useCallback(
    (changes: EdgeChange<FlowEdge | FlowConflict>[]) => {
      const chosen = new Set(latest.current.edges);
      for (const change of changes) {
        if (change.type !== "select") continue;
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      select((before) => ({ ...before, edges: chosen }));
    },
    [select],
  );

  const endDrag = useCallback(() => {
    setDragged((places) => {
      if (places !== undefined && places.size > 0) queueMicrotask(() => editing?.onMove(rounded(places)));
      return undefined;
    });
  }, [editing]);

  const isValidConnection = useCallback(
    (connection: Connection | FlowEdge | FlowConflict) => {
      const reason = editing?.refuse(connection.source, connection.target);
      setRefusal((before) => refusalFor(before, reason));
      return reason === undefined;
    },
    [editing],
  );

  const endConnection = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    setConnecting(false);
    setRefusal(undefined);
    const from = state.fromNode?.id;
    if (from === undefined || state.toNode !== null || editing?.onConnectToNothing === undefined) return;
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    if (point === undefined) return;
    editing.onConnectToNothing(from, flow.screenToFlowPosition({ x: point.clientX, y: point.clientY }));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const direction = ARROWS[event.key];
    const current = [...selection.tasks].at(-1);
    if (direction !== undefined) {
      event.preventDefault();
      const next = current === undefined ? nodes[0]?.id : neighbourOf(current, direction, nodes, edges);
      if (next === undefined) return;
      const tasks = event.shiftKey ? new Set([...selection.tasks, next]) : new Set([next]);
      select(() => ({ tasks, edges: new Set() }));
      view.reveal(next);
    } else if (event.key === "Enter" && current !== undefined) {
      event.preventDefault();
      onOpen?.(current);
    } else if (event.key === "Escape") {
      if (selection.tasks.size + selection.edges.size > 0) select(() => ({ tasks: new Set(), edges: new Set() }));
      else event.currentTarget.blur();
    } else if (event.key === "f" || event.key === "F") {
      view.fit();
    } else if (event.key === "+" || event.key === "=") {
      void flow.zoomIn();
    } else if (event.key === "-") {
      void flow.zoomOut();
    }
  };

  const pick = (event: { clientX: number; clientY: number }): PictureNode | undefined => {
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    return nodeAt(nodes, x, y, 4);
  };
  const onPaneClick = (event: { clientX: number; clientY: number; shiftKey: boolean }) => {
    const hit = isOverview ? pick(event) : undefined;
    if (hit === undefined) select(() => ({ tasks: new Set(), edges: new Set() }));
    else
      select((before) => ({ tasks: new Set(event.shiftKey ? [...before.tasks, hit.id] : [hit.id]), edges: new Set() }));
    container.current?.focus({ preventScroll: true });
  };
  const onDoubleClick = (event: { clientX: number; clientY: number; target: EventTarget }) => {
    if (!(event.target instanceof Element) || !event.target.classList.contains("react-flow__pane")) return;
    const hit = isOverview ? pick(event) : undefined;
    if (hit !== undefined) view.reveal(hit.id);
    else editing?.onDoubleClickCanvas?.(flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
  };
  const onDrop = (event: DragEvent) => {
    const accepts = editing?.accepts;
    const data = accepts === undefined ? "" : event.dataTransfer.getData(accepts);
    if (data === "") return;
    event.preventDefault();
    const place = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    editing?.onDrop?.(data, { x: place.x - CARD_WIDTH / 2, y: place.y - CARD_HEIGHT / 2 });
  };

  const focusedNode = byId.get([...selection.tasks].at(-1) ?? "");
  const showsMinimap = (props.minimap ?? true) && nodes.length >= MINIMAP_TASKS_MIN;

  return (
    <div
      ref={container}
      role="application"
      aria-roledescription="graph"
      aria-label={`${label}, ${nodes.length} tasks. Arrow keys follow the edges, Enter opens, Escape leaves.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: one tab stop for the whole picture, arrows move within it
      tabIndex={0}
      className="plan-canvas"
      data-detail={detail}
      data-editable={editing !== undefined}
      data-connecting={isConnecting}
      data-refused={refusal?.reason !== undefined}
      onKeyDown={onKeyDown}
      onDoubleClick={onDoubleClick}
      onDragOver={(event) => {
        if (editing?.accepts !== undefined && event.dataTransfer.types.includes(editing.accepts))
          event.preventDefault();
      }}
      onDrop={onDrop}
      onMouseMove={(event) => {
        if (isConnecting) setRefusal((before) => before && { ...before, ...within(container.current, event) });
        else if (isOverview) setHovered(pick(event)?.id);
      }}
      title={isOverview ? byId.get(hovered ?? "")?.title : undefined}
    >
      <EdgeHeads />
      <ReactFlow<FlowNode, FlowEdge | FlowConflict>
        nodes={isOverview ? NO_NODES : flowNodes}
        edges={isOverview ? NO_EDGES : flowEdges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onNodeDragStop={endDrag}
        onSelectionDragStop={endDrag}
        onNodeClick={() => container.current?.focus({ preventScroll: true })}
        onNodeDoubleClick={(_, node) => onOpen?.(node.id)}
        onPaneClick={onPaneClick}
        onConnect={({ source, target }) => editing?.onConnect(source, target)}
        onConnectStart={() => setConnecting(true)}
        onConnectEnd={endConnection}
        isValidConnection={isValidConnection}
        connectionLineComponent={ConnectionLine}
        connectionRadius={12}
        nodesDraggable={editing !== undefined}
        nodesConnectable={editing !== undefined}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable
        deleteKeyCode={null}
        // A picture that is only looked at leaves the space bar to its screen: a replay plays with it.
        panActivationKeyCode={editing === undefined ? null : "Space"}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        onlyRenderVisibleElements={nodes.length > 80}
        elevateNodesOnSelect
        onMoveStart={onMoveStart}
        onMove={(event) => {
          if (event !== null) view.letGo();
        }}
      >
        {isOverview ? (
          <OverviewLayer overview={overview} />
        ) : (
          <Background gap={20} size={2} color="var(--grid-dot)" bgColor="var(--canvas)" />
        )}
      </ReactFlow>
      {props.topLeft === undefined ? null : <div className="absolute top-3.5 left-3.5 z-[5]">{props.topLeft}</div>}
      {props.topRight === undefined ? null : <div className="absolute top-3.5 right-3.5 z-[5]">{props.topRight}</div>}
      <div className="absolute bottom-3.5 left-3.5 z-[5]">
        <ZoomControls onFit={view.fit} />
      </div>
      <div className="absolute right-3.5 bottom-5 z-[5] flex flex-col items-end gap-2">
        {showsMinimap ? (
          <div className="float p-0">
            <Minimap nodes={nodes} />
          </div>
        ) : null}
        {props.bottomRight}
      </div>
      {nodes.length === 0 && props.empty !== undefined ? (
        <div className="absolute inset-0 z-[4] flex items-center justify-center">{props.empty}</div>
      ) : null}
      {refusal?.reason === undefined ? null : (
        <div role="alert" className="plan-refusal" style={{ left: refusal.x + 14, top: refusal.y + 14 }}>
          {refusal.reason}
        </div>
      )}
      <LiveRegion message={focusedNode === undefined ? "" : describeNode(focusedNode)} />
    </div>
  );
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

interface Refusal extends Place {
  readonly reason: string | undefined;
}

/** The words of a refusal change while the pointer stays; its place is kept by the pointer's own events. */
function refusalFor(before: Refusal | undefined, reason: string | undefined): Refusal | undefined {
  if (before?.reason === reason) return before;
  return { x: before?.x ?? 0, y: before?.y ?? 0, reason };
}

function within(element: HTMLElement | null, event: { clientX: number; clientY: number }): Place {
  const box = element?.getBoundingClientRect();
  return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
}

const rounded = (places: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> =>
  new Map([...places].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]));

function sameSelection(a: CanvasSelection, b: CanvasSelection): boolean {
  return sameSet(a.tasks, b.tasks) && sameSet(a.edges, b.edges);
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((value) => b.has(value));

const onMoveStart: OnMove = () => {
  // A tooltip or a menu of the browser would stay behind while the picture moves under it.
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
};

function ConnectionLine({ fromX, fromY, toX, toY }: ConnectionLineComponentProps<FlowNode>) {
  return (
    <path d={edgePath({ fromX, fromY, toX, toY })} className="plan-connection" markerEnd="url(#plan-head-selected)" />
  );
}

interface ViewOptions {
  readonly nodes: readonly PictureNode[];
  readonly byId: ReadonlyMap<string, PictureNode>;
  readonly container: { readonly current: HTMLDivElement | null };
  readonly fitKey?: string;
  readonly insetTop: number;
}

interface CanvasView extends CanvasController {
  /** The reader moved the view: it is no longer ours to fit. */
  letGo(): void;
}

/** Fitting and revealing, on our own bounds: React Flow knows only the cards that are mounted. */
function useView({ nodes, byId, container, fitKey, insetTop }: ViewOptions): CanvasView {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const latest = useRef({ nodes, byId, width, height, insetTop });
  latest.current = { nodes, byId, width, height, insetTop };

  // While nobody has moved the view since it was fitted, it stays fitted when the panel changes its size.
  const isFitted = useRef(false);
  const controller = useMemo<CanvasView>(
    () => ({
      letGo: () => {
        isFitted.current = false;
      },
      fit: () => {
        isFitted.current = true;
        const { nodes: all, width: w, height: h, insetTop: inset } = latest.current;
        if (w === 0 || h === 0) return;
        const view = getViewportForBounds(boundsOf(all), w, Math.max(1, h - inset), MIN_ZOOM, 1, FIT_PADDING);
        void flow.setViewport({ ...view, y: view.y + inset });
      },
      reveal: (taskId) => {
        const { byId: map, width: w, height: h } = latest.current;
        const node = map.get(taskId);
        if (node === undefined) return;
        const { x, y, zoom } = flow.getViewport();
        const left = node.x * zoom + x;
        const top = node.y * zoom + y;
        const isSeen = left > 8 && top > 8 && left + CARD_WIDTH * zoom < w - 8 && top + CARD_HEIGHT * zoom < h - 8;
        if (isSeen && zoom >= OVERVIEW_ZOOM) return;
        isFitted.current = false;
        const nextZoom = zoom < OVERVIEW_ZOOM ? READABLE_ZOOM : zoom;
        void flow.setCenter(node.x + CARD_WIDTH / 2, node.y + CARD_HEIGHT / 2, {
          zoom: nextZoom,
          duration: motionMs(),
        });
      },
      room: () => {
        const { nodes: all, width: w, height: h } = latest.current;
        const { x, y, zoom } = flow.getViewport();
        return freePlace(all, { x: (w / 2 - x) / zoom - CARD_WIDTH / 2, y: (h / 2 - y) / zoom - CARD_HEIGHT / 2 });
      },
      focus: () => container.current?.focus({ preventScroll: true }),
    }),
    [flow, container],
  );

  const fitted = useRef<string>(undefined);
  const wanted = fitKey ?? "";
  const isReady = width > 0 && height > 0 && nodes.length > 0;
  useEffect(() => {
    if (!isReady || fitted.current === wanted) return;
    fitted.current = wanted;
    controller.fit();
  }, [isReady, wanted, controller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the size is what it reacts to
  useEffect(() => {
    if (isFitted.current) controller.fit();
  }, [width, height, controller]);

  return controller;
}

const ROOM_GAP = 24;
const ROOM_STEPS = 60;

/** The place nearest to the wanted one, going down column by column, where a card overlaps no other. */
function freePlace(nodes: readonly PictureNode[], wanted: Place): Place {
  for (let step = 0; step < ROOM_STEPS; step++) {
    const column = Math.floor(step / 12);
    const place = {
      x: wanted.x + column * (CARD_WIDTH + ROOM_GAP),
      y: wanted.y + (step % 12) * (CARD_HEIGHT / 2 + ROOM_GAP / 2),
    };
    const isFree = nodes.every(
      (node) =>
        Math.abs(node.x - place.x) >= CARD_WIDTH + ROOM_GAP || Math.abs(node.y - place.y) >= CARD_HEIGHT + ROOM_GAP,
    );
    if (isFree) return place;
  }
  return wanted;
}

const FIT_PADDING = { top: "56px", bottom: "60px", left: "20px", right: "20px" } as const;

const motionMs = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180);
