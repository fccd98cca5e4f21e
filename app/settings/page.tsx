import { SettingsIndex } from "@/components/settings/settings-index";

export default function SettingsPage() {
  return <SettingsIndex />;
}
