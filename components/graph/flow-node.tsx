"use client";

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import type { PictureNode } from "./picture";
import { TaskCard } from "./task-card";

export type FlowNode = Node<{ readonly node: PictureNode }, "task">;

/** React Flow's shell around a card. Its size and handles are given, never measured, so that it mounts in one pass. */
export const FlowTask = memo(function FlowTask({ data, selected, isConnectable }: NodeProps<FlowNode>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={isConnectable} className="task-handle-in" />
      <TaskCard node={data.node} selected={selected} />
      <Handle type="source" position={Position.Right} isConnectable={isConnectable} className="task-handle-out" />
    </>
  );
});
