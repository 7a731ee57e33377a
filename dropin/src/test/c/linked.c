/* A program whose library uses libibverbs, which then follows the C library in the search order. */
int program(int argc, char **argv);

int main(int argc, char **argv)
{
	return program(argc, argv);
}
