package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have no /dev/shm")
final class UserFolderTest {
  @TempDir Path parent;
  private Path folder;
  private int user;

  @BeforeEach
  void user() throws IOException {
    folder = parent.resolve("verbena");
    user = (int) Files.getAttribute(parent, "unix:uid");
  }

  private void expectRefusal(Object owner) {
    assertThatThrownBy(() -> UserFolder.get(folder, owner))
        .isInstanceOf(IOException.class)
        .hasMessage(
            folder + " must be a folder of this user and of mode 0700, and is not; remove it");
  }

  @Test
  void itIsMadeForItsUserOnlyAndUsedAgain() throws IOException {
    assertThat(UserFolder.get(folder, user)).isEqualTo(folder);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    assertThat(UserFolder.get(folder, user)).isEqualTo(folder);
  }

  @Test
  void oneThatOthersMayReadIsRefused() throws IOException {
    UserFolder.make(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
    expectRefusal(user);
  }

  @Test
  void oneOfAnotherUserIsRefused() throws IOException {
    UserFolder.make(folder);
    expectRefusal(user + 1);
  }

  @Test
  void aLinkToAFolderIsRefused() throws IOException {
    Path elsewhere = parent.resolve("elsewhere");
    UserFolder.make(elsewhere);
    Files.createSymbolicLink(folder, elsewhere);
    expectRefusal(user);
  }

  @Test
  void aFileIsRefused() throws IOException {
    Files.createFile(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    expectRefusal(user);
  }
}
